import type { EndpointProblem } from './endpoint-problem.js';

/** A value that is no valid endpoint; `problem` is the first thing that is wrong with it. */
export class InvalidEndpoint extends Error {
  constructor(readonly problem: EndpointProblem) {
    super(
      `This is no valid endpoint: ${problem.pointer === '' ? '' : `${problem.pointer}: `}${problem.message}`,
    );
    this.name = 'InvalidEndpoint';
  }
}

/** A graph that is not the RDF form of one endpoint. */
export class InvalidEndpointGraph extends Error {
  constructor(reason: string) {
    super(`This graph is not the RDF form of one endpoint: ${reason}.`);
    this.name = 'InvalidEndpointGraph';
  }
}
