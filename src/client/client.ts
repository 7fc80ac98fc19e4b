/**
 * The TypeScript client, `chartgraph/client`: a typed method for each call of the ontology. It runs in browsers and
 * in Node.js, where an app's secrets belong. `createClient` fits the shipped ontology; for another one,
 * `chartgraph ontology client FILE` writes a module with its own `createClient`, based on `connect`.
 */
export * from './generated.js';
export { completeAccess, requestAccess } from './authorization.js';
export type { AccessRequest, AccessToken, App } from './authorization.js';
export { forEachRecord } from './for-each-record.js';
export type { RecordAccess } from './for-each-record.js';
export { ChartgraphError } from './chartgraph-error.js';
export type { ErrorKind, ProblemMembers } from './chartgraph-error.js';
export { connect } from './connect.js';
export type * from './answer-types.js';
export type * from './api-model.js';
export type * from './methods.js';
export type { GraphFormat } from './graph-format.js';
export type { AnalystSettings, ClientSettings } from './client-settings.js';
export type * from './thing-types.js';
