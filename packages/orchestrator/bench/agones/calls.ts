/**
 * The first half of `npm run bench -- agones`: counts the API calls to the cluster for a match with its own game
 * server, on the test kit's cluster and in simulated time. Prints a table for docs/benchmarks.md;
 * test/agones/calls-of-a-life.int.test.ts checks that the service keeps to it.
 */
import { callsOf, MATCHES, meanOf } from './calls-of-a-life'

console.log(`calls, the mean of ${MATCHES} matches each, rounded up to five`)
console.log('| game server | nodes | launch | end, asked to stop | end, by itself |\n|---|---|---|---|---|')
for (const kind of ['cold', 'warm'] as const)
  for (const nodes of [1, 3, 6]) {
    const stopped = await meanOf((seed) => callsOf({ nodes, warm: kind !== 'cold', ends: 'by a stop' }, seed))
    const exited = await meanOf((seed) => callsOf({ nodes, warm: kind !== 'cold', ends: 'by itself' }, seed))
    console.log(`| ${kind} | ${nodes} | ${stopped.launch} | ${stopped.end} | ${exited.end} |`)
  }
