/** What a setting has to say about an address that cannot be listened on; the message is one sentence. */
const sentences: Readonly<Record<string, (host: string, port: number) => string>> = {
  EADDRINUSE: (host, port) => `Port ${port} on ${host} is taken`,
  EADDRNOTAVAIL: (host) => `This machine has no address ${host}`,
  ENOTFOUND: (host) => `The name ${host} has no address`,
  EACCES: (host, port) => `Port ${port} on ${host} needs rights that this user does not have`,
};

/**
 * The error of a listener as one sentence that names the setting to change; as it came where it is none of the usual.
 * @param settings the flag of the port, and that of the host
 */
export function cannotListen(
  error: NodeJS.ErrnoException,
  host: string,
  port: number,
  settings: { port: string; host: string },
): Error {
  const { code = '' } = error;
  const sentence = sentences[code]?.(host, port);
  if (sentence === undefined) return error;
  const isOfPort = code === 'EADDRINUSE' || code === 'EACCES';
  return new Error(`${sentence}; choose another with ${isOfPort ? settings.port : settings.host}.`, {
    cause: error,
  });
}
