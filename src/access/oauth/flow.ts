import type { Accounts } from '../accounts/accounts.js';
import type { UserRole } from '../accounts/users.js';
import type { AppManifest } from '../accounts/manifest.js';
import type { Grants } from '../accounts/grants.js';
import type { DataDirectory } from '../../store/disk/data-directory.js';
import type { SignOnSettings } from '../sign-on/identity-provider.js';
import type { Audit } from './audit.js';
import { parseUrl } from '../../rdf/parse-url.js';
import { percentEncode } from './percent.js';

export interface FlowSettings {
  /** The lifetime of apps' access tokens, in milliseconds. */
  readonly tokenLifetime: number;
  /** Whether apps come in by SMART App Launch. */
  readonly smart: boolean;
  readonly secondFactorRoles: readonly UserRole[];
  readonly passwords: boolean;
  readonly signOn: SignOnSettings | undefined;
  readonly unservedApps: readonly AppManifest[];
}

export interface Flow {
  readonly directory: DataDirectory;
  readonly accounts: Accounts;
  readonly grants: Grants;
  readonly base: string;
  readonly settings: FlowSettings;
  readonly audit: Audit;
  /** Returns the manifest of an installed app; undefined if there is none. */
  readonly manifestOf: (app: string) => Promise<AppManifest | undefined>;
  readonly hasRecord: (record: string) => Promise<boolean>;
}

/** A token, its secret, and the other fields of the answer to an app, in order. */
export type TokenAnswer = readonly (readonly [name: string, value: string])[];

/** Adds query parameters to an app's URL of any scheme (RFC 5849 §2.2). */
export function withParameters(url: string, parameters: Readonly<Record<string, string>>): string {
  const [, address = '', fragment = ''] = /^([^#]*)(#.*)?$/s.exec(url) ?? [];
  const added = Object.entries(parameters)
    .map(([name, value]) => `${percentEncode(name)}=${percentEncode(value)}`)
    .join('&');
  const joint = !address.includes('?') ? '?' : /[?&]$/.test(address) ? '' : '&';
  return address + joint + added + fragment;
}

/** Returns the origin of an app's URL, or its scheme if that is not a web scheme; '' for an invalid URL. */
export function originOrScheme(url: string): string {
  // The manifest check lets port 99999 pass.
  const parsed = parseUrl(url);
  if (!parsed) return '';
  const { origin, protocol } = parsed;
  return origin === 'null' ? protocol : origin;
}
