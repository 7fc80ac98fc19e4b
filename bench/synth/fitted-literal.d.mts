import type { DataRange } from '../../src/model/ontology/model.js';
import type { Random } from './random.mjs';

export function fitted(invented: string, ranges: readonly DataRange[], random: Random): string;
