import { json } from 'node:stream/consumers';
import {
  explanationColumns,
  explanationNotes,
  explanationRows,
  type QueryExplanation,
} from '../analysts/explain/explanation.js';
import type { ServerAnswer } from './ask-server.js';
import { complain, print, printJson, printTable } from './output.js';

/** Prints how a query comes to its answer, as a table or as the JSON of the server. */
export async function printExplanation({ body, warnings }: ServerAnswer, isTable: boolean): Promise<void> {
  for (const warning of warnings) complain(`warning: ${warning}`);
  const explanation = (await json(body)) as QueryExplanation;
  if (!isTable) return printJson(explanation);
  await printTable(explanationColumns, explanationRows(explanation));
  await print(explanationNotes);
  if (explanation.stopped !== undefined) complain(`warning: ${explanation.stopped}`);
}
