const sentences: Readonly<Record<string, (host: string, port: number) => string>> = {
  EADDRINUSE: (host, port) => `Port ${port} on ${host} is taken`,
  EADDRNOTAVAIL: (host) => `This machine has no address ${host}`,
  ENOTFOUND: (host) => `The name ${host} has no address`,
  EACCES: (host, port) => `Port ${port} on ${host} needs rights that this user does not have`,
};

/** Names the setting to change after an error. @param settings flags of the port and of the host */
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
