// The peer of the warm figures: Koa and nothing else, sending the same bytes.
import { once } from 'node:events';
import Koa from 'koa';

const [body] = await once(process, 'message');
const bytes = Buffer.from(body);
const app = new Koa();
app.use((context) => {
  context.type = 'application/rdf+xml';
  context.body = bytes;
});
const server = app.listen(0, '127.0.0.1', () => process.send(server.address().port));
