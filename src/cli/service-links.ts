/**
 * What Kubernetes names variables of a service that the pods of its namespace find it by: of one that is called
 * `chartgraph` they look like settings. https://kubernetes.io/docs/concepts/services-networking/service/#environment-variables
 */
const NAME = /_(?:SERVICE_(?:HOST|PORT(?:_\w+)?)|PORT_\d+_(?:TCP|UDP|SCTP)(?:_(?:PROTO|PORT|ADDR))?)$/u;
const ADDRESS = /^(?:tcp|udp|sctp):\/\//u;

/**
 * Whether Kubernetes made a variable for a service, and nobody a setting: `CHARTGRAPH_PORT=tcp://10.0.0.11:7000` and
 * its like, each beside the `…_SERVICE_HOST` of the service.
 */
export function isServiceLink(env: Readonly<Record<string, string | undefined>>, name: string): boolean {
  const ending = ADDRESS.test(env[name] ?? '') && name.endsWith('_PORT') ? /_PORT$/u : NAME;
  const service = name.replace(ending, '');
  return service !== name && env[`${service}_SERVICE_HOST`] !== undefined;
}
