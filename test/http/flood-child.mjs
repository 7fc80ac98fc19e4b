// Opens many connections to a container from addresses of this machine, and tells what became of them whenever it is
// asked: a process of its own, so that its descriptors and its memory are not the test's.
import { connect } from 'node:net';

const [, , port, count, addresses, first = ''] = process.argv;
/** What is sent on each connection; `\n` stands for a line's end, and `*N` at the end for N bytes more. */
const [, text, more = '0'] = /^(.*?)(?:\*(\d+))?$/s.exec(first.replaceAll('\\n', '\r\n'));
const bytes = Buffer.concat([Buffer.from(text), Buffer.alloc(Number(more), 'x')]);
const from = addresses.split(',');
/** How many are connected by now, closed without an answer, answered, and answered and open; and the most of these. */
const told = { connected: 0, refused: 0, answered: 0, open: 0, most: 0 };

const one = (localAddress) => {
  const socket = connect({ port: Number(port), host: '127.0.0.1', localAddress });
  let isAnswered = false;
  socket.on('connect', () => {
    told.connected++;
    if (bytes.length > 0) socket.write(bytes);
  });
  socket.on('data', () => {
    if (isAnswered) return;
    isAnswered = true;
    told.answered++;
    told.most = Math.max(told.most, ++told.open);
  });
  socket.on('error', () => undefined);
  socket.on('close', () => {
    if (isAnswered) told.open--;
    else told.refused++;
  });
};
for (let index = 0; index < Number(count); index++) one(from[index % from.length]);
process.on('message', () => process.send(told));
process.on('disconnect', () => process.exit());
process.send('started');
