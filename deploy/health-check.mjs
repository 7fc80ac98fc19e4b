// The health check of the image: ends with 0 when the container beside it is alive, else with 1. It reads the settings
// that the image gives in the environment, since the path of the base URL stands before /health/live.
const { CHARTGRAPH_PORT: port = '7000', CHARTGRAPH_BASE_URL: baseUrl = `http://localhost:${port}` } =
  process.env;
const path = new URL(baseUrl).pathname.replace(/\/+$/u, '');

try {
  const response = await fetch(`http://127.0.0.1:${port}${path}/health/live`, {
    signal: AbortSignal.timeout(4000),
  });
  process.exitCode = response.ok ? 0 : 1;
} catch {
  process.exitCode = 1;
}
