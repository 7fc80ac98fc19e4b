// Loaded before a first process: whatever port it gives back first, this takes before anybody else can.
import { createServer, Server } from 'node:net';

const { close } = Server.prototype;
if (!process.env.NODE_UNIQUE_ID)
  Server.prototype.close = function (...given) {
    Server.prototype.close = close;
    const { port } = this.address();
    const taken = createServer().unref();
    this.once('close', () => taken.listen(port, () => console.error(`port ${port} is taken`)));
    return close.apply(this, given);
  };
