// `npm run bench -- <name>`: runs a benchmark. A benchmark that compares two programs or versions measures both in one
// run. docs/benchmarks.md lists the targets.
import { pathToFileURL } from 'node:url'
import { program, runRegistered } from './registered.mjs'

const BUILD = '`npm run build`'
const POSTGRES = 'the programs of PostgreSQL'
const bench = (name) => program(`packages/tooling/bench/${name}.ts`)
const engine = (name, options) => program(`packages/matchmaking/bench/${name}.ts`, options)

/** @type {Record<string, import('./registered.mjs').Run>} */
export const BENCHES = {
  service: {
    says: 'Holds the whole service to its targets; words name parts of it.',
    minutes: 15,
    needs: BUILD,
    steps: [program('packages/tooling/bench/service/run.ts', { collects: true })],
  },
  'across-nodes': {
    says: 'Time from a change on one node to its event on another.',
    minutes: 2,
    needs: `${BUILD}, ${POSTGRES}`,
    steps: [bench('across-nodes')],
  },
  against: {
    says: 'This tree against another commit, which is named, in the same run.',
    minutes: 10,
    needs: BUILD,
    steps: [bench('against/run')],
  },
  agones: {
    says: 'Calls to the API server and CPU for the life of a game server.',
    minutes: 3,
    steps: [
      program('packages/orchestrator/bench/agones/calls.ts'),
      program('packages/orchestrator/bench/agones/cpu.ts', { collects: true }),
    ],
  },
  arena: { says: 'The example Arena with many bots.', minutes: 3, needs: BUILD, steps: [bench('arena')] },
  beacon: {
    says: 'CPU of the UDP beacon within and beyond its limits, and the error of measured latencies.',
    minutes: 2,
    steps: [bench('beacon')],
  },
  console: {
    says: 'How soon the console can be used, and how it draws.',
    minutes: 3,
    needs: `${BUILD}, a browser`,
    steps: [bench('console-interactive'), bench('console-frames')],
  },
  'console-cost': {
    says: 'What an open console costs the service.',
    minutes: 3,
    needs: BUILD,
    steps: [bench('console-cost')],
  },
  designer: {
    says: "How soon the designer's questions are answered in the console.",
    minutes: 3,
    needs: `${BUILD}, a browser`,
    steps: [bench('console-designer')],
  },
  docker: {
    says: 'Launch latency of a container.',
    minutes: 2,
    needs: 'a container engine',
    steps: [program('packages/orchestrator/bench/docker/launch-latency.ts')],
  },
  exact: { says: 'The exact search in small pools.', minutes: 2, steps: [engine('exact')] },
  explain: { says: 'What an explanation costs.', minutes: 2, steps: [engine('explain', { collects: true })] },
  feed: {
    says: 'The project feed with many readers.',
    minutes: 3,
    steps: [program('packages/http/bench/feed.bench.ts')],
  },
  'feed-cost': {
    says: 'What the project feed costs, this tree against another commit.',
    minutes: 6,
    needs: BUILD,
    steps: [bench('against/feed-cost')],
  },
  harm: {
    says: 'What one hostile caller costs another project.',
    minutes: 10,
    needs: BUILD,
    steps: [bench('harm/run')],
  },
  history: {
    says: 'History of 50 queues in 30 days: rows, bytes, roll-up, charts. Words name storages: sqlite, postgres.',
    minutes: 30,
    needs: POSTGRES,
    steps: [bench('history/run')],
  },
  leaderboard: {
    says: 'A leaderboard of a million players; words name storages: sqlite, postgres.',
    minutes: 10,
    needs: POSTGRES,
    steps: [bench('ratings/leaderboard')],
  },
  matchmaking: { says: 'The engine against its targets.', minutes: 5, steps: [engine('run', { collects: true })] },
  'nodes-cost': {
    says: 'What each further node costs the database.',
    minutes: 4,
    needs: `${BUILD}, ${POSTGRES}`,
    steps: [bench('nodes-cost')],
  },
  optimum: { says: 'How close the engine comes to the best assignment.', minutes: 3, steps: [engine('optimum')] },
  overload: { says: 'The service past its capacity.', minutes: 5, needs: BUILD, steps: [bench('overload/run')] },
  postgres: {
    says: 'The PostgreSQL adapter: commits and reads.',
    minutes: 5,
    needs: POSTGRES,
    steps: [program('packages/storage-postgres/bench/run.ts')],
  },
  proposals: {
    says: 'Matches that are proposed to their players.',
    minutes: 3,
    needs: BUILD,
    steps: [bench('proposals')],
  },
  replay: { says: 'The replay of a recorded queue.', minutes: 2, steps: [engine('replay')] },
  season: {
    says: 'What the first touches of a new season cost; words name storages: sqlite, postgres.',
    minutes: 5,
    needs: POSTGRES,
    steps: [bench('ratings/season')],
  },
  'servers-at-rest': {
    says: 'What running game servers cost while nothing happens.',
    minutes: 3,
    needs: BUILD,
    steps: [bench('servers-at-rest')],
  },
  storage: {
    says: 'Commits of the SQLite adapter.',
    minutes: 2,
    steps: [program('packages/storage-sqlite/bench/commits.ts')],
  },
  'tracing-cost': { says: 'What tracing costs.', minutes: 3, needs: BUILD, steps: [bench('tracing-cost')] },
  webhooks: { says: 'Deliveries of webhooks.', minutes: 3, needs: BUILD, steps: [bench('webhooks')] },
  'tls-front': {
    says: 'CPU and added time of the TLS front of a game server against a plain proxy, with 1,000 connections.',
    minutes: 3,
    steps: [bench('tls-front/run')],
  },
}

if (import.meta.url === pathToFileURL(process.argv[1]).href) runRegistered('bench', BENCHES)
