import { expect, it } from 'vitest';
import { containerManifest } from '../../src/records/container-manifest.js';
import { ontology } from './support.js';

const given = { name: 'C', description: 'D', version: '0.1.7' };

it.each([
  ['operator@example.org', 'https://records.example.org', 'operator@example.org'],
  ['', 'https://records.example.org/smart', 'postmaster@records.example.org'],
  ['', 'http://localhost:7000', 'postmaster@localhost'],
  ['', 'http://192.0.2.7:7000', 'postmaster@[192.0.2.7]'],
  ['', 'http://[2001:db8::7]', 'postmaster@[IPv6:2001:db8::7]'],
])('a container with admin "%s" at %s is run by %s', (admin, base, expected) => {
  expect(containerManifest({ ...given, admin }, ontology, base).admin).toBe(expected);
});
