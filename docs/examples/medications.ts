import { readFile } from 'node:fs/promises';
import { ChartgraphError, createClient } from 'chartgraph/client';

// What `chartgraph token issue` printed.
const token = JSON.parse(await readFile('token.json', 'utf8'));
const client = createClient({
  baseUrl: 'http://localhost:7000',
  consumerKey: token.consumer_key,
  consumerSecret: token.consumer_secret,
  token: token.oauth_token,
  tokenSecret: token.oauth_token_secret,
});

const { record_id } = token;
const medications = await client.get_medications({ record_id, date_from: '2010', limit: 10 });
console.log(`${medications.objects.length} of ${medications.total}`);
for await (const { drugName, startDate } of medications.items()) console.log(startDate, drugName.title);

try {
  await client.get_medication({ record_id, medication_id: 'unknown' });
} catch (error) {
  if (!(error instanceof ChartgraphError)) throw error;
  console.log(error.status, error.title);
}
