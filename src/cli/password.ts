import { createInterface } from 'node:readline';
import { Writable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { Interrupted, UsageError } from './command-errors.js';

/** Longer ones are refused: hashing is work that grows with its input. */
const LONGEST = 1024;

/**
 * Reads a password: asked for without an echo on a terminal, else all of stdin without its last line end.
 * Resolves to undefined where there is none. Throws UsageError for one that cannot be typed on one line, and Interrupted
 * at Ctrl-C.
 */
export async function readPassword(question: string): Promise<string | undefined> {
  const given = process.stdin.isTTY
    ? await ask(question)
    : (await text(process.stdin)).replace(/\r?\n$/u, '');
  if (given === '') return undefined;

  if (/[\u0000-\u001f\u007f]/u.test(given))
    throw new UsageError('A password is one line without control characters.');
  if (given.length > LONGEST) throw new UsageError(`A password has at most ${LONGEST} characters.`);
  return given;
}

function ask(question: string): Promise<string> {
  process.stderr.write(`${question}: `);
  const blind = new Writable({ write: (_chunk, _encoding, done) => done() });
  const reader = createInterface({ input: process.stdin, output: blind, terminal: true });
  return new Promise((resolve, reject) => {
    let answer = '';
    reader.once('line', (line) => {
      answer = line;
      reader.close();
    });
    // While keys are read one by one, Ctrl-C is one of them and sends no signal.
    reader.once('SIGINT', () => {
      reject(new Interrupted());
      reader.close();
    });
    reader.once('close', () => {
      process.stderr.write('\n');
      resolve(answer);
    });
  });
}
