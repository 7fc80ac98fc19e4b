// What an export for apps takes of the processor, for each resource and format, without the server around it.
// Argument: how many patients.
import { openDataDirectory } from '../dist/store/disk/data-directory.js';
import { openDocumentStore } from '../dist/store/documents/document-files.js';
import { ExportBatch } from '../dist/services/exports/exported-resources.js';
import { exportedCalls, exportedResources } from '../dist/services/exports/exported-resources.js';
import { pastStores } from '../dist/store/past-store.js';
import { openPrimaryStore } from '../dist/store/primary-store.js';
import { base, model, patients, queries, removeData } from './lib/data.mjs';
import { short } from './lib/measure.mjs';
import { recordIds } from './lib/requests.mjs';

const [count = '200'] = process.argv.slice(2);
const { ontology } = model;
const data = await patients(Number(count));
const directory = await openDataDirectory(data.dir);
const primary = openPrimaryStore(directory, base);
const documents = openDocumentStore(directory);
const revision = primary.revision('');
const calls = exportedCalls(ontology, undefined);

try {
  for (const format of ['nquads', 'ndjson']) {
    const past = pastStores(primary, undefined);
    const batch = new ExportBatch(ontology, format);
    let resources = 0;
    const start = process.cpuUsage();
    for (const record of recordIds(data).small) {
      const reads = { primary, ontology, base, queries, past, documents };
      for await (const resource of exportedResources(reads, { record, revision, calls })) {
        await batch.add(resource);
        resources++;
      }
    }
    const { user, system } = process.cpuUsage(start);
    const each = (user + system) / 1000 / resources;
    console.log(
      `${format}: ${resources} resources, ${short(batch.size / 2 ** 20)} MB, ${short(each)} ms of the processor each`,
    );
  }
} finally {
  await directory.close();
  await removeData();
}
