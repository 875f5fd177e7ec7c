#!/usr/bin/env node
// Stands for a pager: prints what Alertmanager sends to it, a line an alert. pager.mjs [PORT [HOST]]
import { createServer } from 'node:http';
import process from 'node:process';

const [port = '5001', host = '0.0.0.0'] = process.argv.slice(2);
const server = createServer((request, response) => {
  const chunks = [];
  request.on('data', (chunk) => chunks.push(chunk));
  request.on('end', () => {
    response.writeHead(print(request.url, Buffer.concat(chunks).toString()) ? 200 : 400).end();
  });
});
server.listen(Number(port), host);
for (const signal of ['SIGINT', 'SIGTERM']) process.once(signal, () => server.close(() => process.exit(0)));

/** Whether it was a notification. */
function print(receiver, body) {
  try {
    const { alerts } = JSON.parse(body);
    for (const { status, labels, annotations, startsAt } of alerts) {
      const line = `${receiver.slice(1)} ${status} ${labels.severity} ${labels.alertname} since ${startsAt}: ${annotations.description}`;
      process.stdout.write(`${line}\n  ${annotations.runbook_url}  ${annotations.dashboard_url}\n`);
    }
    return true;
  } catch (error) {
    process.stderr.write(`not a notification: ${error.message}\n`);
    return false;
  }
}
