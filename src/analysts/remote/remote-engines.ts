import type { EngineSettings } from '../../http/serve-settings.js';
import { Problem } from '../../model/problem.js';
import type { AnalystEngine } from '../analyst-engine.js';
import { levels, type LevelName } from '../levels.js';
import { mirrorSource, type MirrorSourceOptions } from '../mirror/mirror-source.js';
import { RemoteEngine } from './remote-engine.js';

interface Parts extends Omit<MirrorSourceOptions, 'level'> {
  readonly onFault: (error: unknown) => void;
}

/** Makes the engines of levels on another server. Without `{level}` in its URLs, it has the first level alone. */
export function remoteEngines(engine: EngineSettings, parts: Parts): (level: LevelName) => AnalystEngine {
  const { query, update } = engine;
  const { primary, ontology, onFault } = parts;
  return (level) => {
    if (level !== levels[0] && !query.includes('{level}')) return noEngine(level);
    const at = (url: string): string => url.replaceAll('{level}', level);
    return new RemoteEngine({
      level,
      source: mirrorSource({ ...parts, level }),
      address: { ...engine, query: at(query), update: at(update) },
      ontology,
      revision: () => primary.revision(''),
      onFault,
    });
  };
}

/** Answers nothing: its level has no dataset. */
function noEngine(level: LevelName): AnalystEngine {
  const none = (): Promise<never> =>
    Promise.reject(
      new Problem(
        'unavailable',
        `The engine of analysts has no ${level} level; write {level} into the URLs of --analyst-engine.`,
      ),
    );
  const nothing = (): Promise<void> => Promise.resolve();
  return {
    fill: none,
    run: none,
    keepUp: nothing,
    close: nothing,
    isFilled: false,
    progress: undefined,
    revision: -1,
  };
}
