import { parseUrl } from '../../rdf/parse-url.js';
import { DataDirectoryError } from '../disk/data-directory-error.js';

/** Splits a URL into one address per host. @throws DataDirectoryError */
export function addressesOf(url: string): string[] {
  const [, before, hosts = '', after = ''] =
    /^(postgres(?:ql)?:\/\/(?:[^@/?#]*@)?)([^/?#]*)(.*)$/su.exec(url) ?? [];
  const addresses = hosts.split(',').map((host) => `${before}${host}${withExplicitTlsMode(after)}`);
  if (before !== undefined && addresses.every((address) => parseUrl(address))) {
    checkParameters(new URL(addresses[0] ?? '').searchParams);
    return addresses;
  }
  throw new DataDirectoryError(
    '--store is no address of a PostgreSQL database: write postgres://user@host/database, with %40 for @ in a password.',
  );
}

const sslModes = ['disable', 'prefer', 'require', 'verify-ca', 'verify-full', 'no-verify'];
/** Parameters of pg and libpq: pg would ignore a misspelt `sslmode` and connect in the clear. */
const parameters =
  /^(?:ssl(?:mode|rootcert|cert|key|negotiation)?|uselibpqcompat|user|password|host|port|options|(?:fallback_)?application_name|client_encoding|(?:statement|lock|query|connect|idle_in_transaction_session)_timeout|keepalives\w*|target_session_attrs|channel_binding|gssencmode|load_balance_hosts|tcp_user_timeout)$/u;

function checkParameters(given: URLSearchParams): void {
  const unknown = [...given.keys()].find((name) => !parameters.test(name));
  if (unknown !== undefined)
    throw new DataDirectoryError(
      `The address of --store knows no ${unknown}: sslmode and sslrootcert are for TLS.`,
    );
  const mode = given.get('sslmode');
  if (mode !== null && !sslModes.includes(mode))
    throw new DataDirectoryError(
      `In the address of --store, sslmode=${mode} must be one of ${sslModes.join(', ')}.`,
    );
}

/** Names the TLS mode that pg uses for these modes, which avoids its warning. */
function withExplicitTlsMode(parameters: string): string {
  if (parameters.includes('uselibpqcompat')) return parameters;
  return parameters.replace(/([?&]sslmode=)(?:prefer|require|verify-ca)(?=&|$)/u, '$1verify-full');
}

export function withoutPassword(url: string): string {
  return url.replace(/(\/\/[^/@:]*):[^@]*@/u, '$1@').replace(/([?&]password=)[^&]*/u, '$1…');
}
