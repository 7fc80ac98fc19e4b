import { readableDate } from '../../http/html/readable.js';

/** Returns a time to the minute, in UTC. @param time milliseconds since 1970 */
export const minute = (time: number): string => readableDate(`${new Date(time).toISOString().slice(0, 16)}Z`);
