// Makes exports with one record in each set of files, and is killed when it has stored some files of which the export
// does not know yet. Arguments: data directory, base URL, how many sets of files are stored before.
import { openAccessLog } from '../../dist/access/log/access-log.js';
import { keyOf, openAccounts } from '../../dist/access/accounts/accounts.js';
import { openDataDirectory } from '../../dist/store/disk/data-directory.js';
import { openDocumentStore } from '../../dist/store/documents/document-files.js';
import { ExportRunner } from '../../dist/services/exports/export-runner.js';
import { loadOntology } from '../../dist/model/ontology/directory.js';
import { loadQueries } from '../../dist/model/query/load-queries.js';
import { pastStores } from '../../dist/store/past-store.js';
import { openPrimaryStore } from '../../dist/store/primary-store.js';

const [data, base, puts] = process.argv.slice(2);
const directory = await openDataDirectory(data);
const primary = openPrimaryStore(directory, base);
const { ontology } = await loadOntology('ontology');
const documents = openDocumentStore(directory);
let stored = 0;
const runner = new ExportRunner({
  primary,
  ontology,
  base,
  queries: await loadQueries('queries', ontology),
  past: pastStores(primary, undefined),
  accounts: openAccounts(directory, keyOf(directory)),
  accessLog: await openAccessLog(data),
  log: { error: () => undefined },
  batchBytes: 1,
  documents: {
    ...documents,
    put: async (bytes) => {
      const key = await documents.put(bytes);
      if (++stored > Number(puts)) process.kill(process.pid, 'SIGKILL');
      return key;
    },
  },
});
runner.start();
