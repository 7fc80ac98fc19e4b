import { ChildProcess } from 'node:child_process';
import { Server, Socket } from 'node:net';

const refuse = (what: string) => (): never => {
  throw new Error(
    `a unit test ${what}: put its file among the integration tests in vitest.config.ts, or test without`,
  );
};

// Keeps the unit tests what they are: quick, and the same on every machine.
Object.assign(Server.prototype, { listen: refuse('opens a server') });
Object.assign(Socket.prototype, { connect: refuse('opens a connection') });
Object.assign(ChildProcess.prototype, { spawn: refuse('starts a process') });
