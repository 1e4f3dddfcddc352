// `npm run prove -- <name>`: runs a proof (a set of tests) that takes too long for `npm test`.
import { pathToFileURL } from 'node:url'
import { program, runRegistered, tests } from './registered.mjs'

const BUILD = '`npm run build`'
const POSTGRES = 'the programs of PostgreSQL'
const rounds = (count) => ({ MATCHYARD_PROVE: String(count) })
const acceptance = (words, env) => tests(['tooling'], words, env)
const many = (words, env) =>
  acceptance(
    words.map((word) => `many-nodes/${word}`),
    env,
  )

/** @type {Record<string, import('./registered.mjs').Run>} */
export const PROOFS = {
  agones: {
    says: 'Launches, stops and loses game servers on a real cluster with Agones.',
    minutes: 10,
    needs: 'a cluster in KUBECONFIG',
    steps: [program('packages/orchestrator/prove-agones.ts')],
  },
  'agones-simulation': {
    says: 'Keeps the invariants of the Agones adapter in 2,000 simulated runs.',
    minutes: 20,
    steps: [tests(['orchestrator'], ['agones/simulation/'], { MATCHYARD_SIMULATIONS: '2000' })],
  },
  backfill: {
    says: 'Races 1,000 backfill requests over several nodes.',
    minutes: 5,
    needs: `${BUILD}, ${POSTGRES}`,
    steps: [many(['backfill-races'], rounds(1_000))],
  },
  'backfill-engine': {
    says: 'Fills open seats in 10,000 drawn pools as the oracle does.',
    minutes: 3,
    steps: [tests(['matchmaking'], ['fills.prop'], rounds(10_000))],
  },
  chaos: {
    says: 'Kills, stops and cuts off nodes for ten minutes under load, and audits what is left.',
    minutes: 13,
    needs: `${BUILD}, ${POSTGRES}`,
    steps: [many(['chaos'], { MATCHYARD_CHAOS_SECONDS: '600' })],
  },
  client: {
    says: 'Follows lobbies through 1,000 faults of the network.',
    minutes: 10,
    needs: BUILD,
    steps: [acceptance(['client/faults'], rounds(1_000))],
  },
  console: {
    says: 'Opens every page of the console with full data.',
    minutes: 5,
    needs: `${BUILD}, a browser`,
    steps: [acceptance(['console/views'], rounds(1))],
  },
  conformance: {
    says: 'Runs the conformance suite, and fails on a rule without an executed, passing test.',
    minutes: 10,
    steps: [program('packages/tooling/src/conformance/prove.ts')],
  },
  corruption: {
    says: 'Damages stored archives 3,000 times.',
    minutes: 3,
    steps: [tests(['build-store'], ['fs/corruption'], { CORRUPTION_ROUNDS: '3000' })],
  },
  crash: {
    says: 'Kills the service 60 times while game servers run under it.',
    minutes: 10,
    steps: [tests(['orchestrator'], ['process/service-killed'], { SERVICE_KILL_ROUNDS: '60' })],
  },
  create: {
    says: 'Creates a project of each template from packages in a registry.',
    minutes: 5,
    needs: BUILD,
    steps: [program('.ci/prove-create.mjs')],
  },
  exact: {
    says: 'Finds the best match in 10,000 small pools as the oracle does.',
    minutes: 5,
    steps: [tests(['matchmaking'], ['exact.prop'], rounds(10_000))],
  },
  feed: {
    says: 'Reads the project feed through 2,000 drawn histories.',
    minutes: 3,
    steps: [tests(['core'], ['feed.prop'], rounds(2_000))],
  },
  http: {
    says: 'Sends 1,000 rounds of hostile requests and replays events.',
    minutes: 5,
    steps: [tests(['http'], ['hostile', 'event-replay'], rounds(1_000))],
  },
  idempotency: {
    says: 'Repeats 10,000 drawn calls under the same idempotency keys.',
    minutes: 3,
    steps: [tests(['core'], ['control-plane/idempotency.prop'], rounds(10_000))],
  },
  'many-nodes': {
    says: 'Races 1,000 rounds of calls over several nodes.',
    minutes: 10,
    needs: `${BUILD}, ${POSTGRES}`,
    steps: [many(['races.'], rounds(1_000))],
  },
  mutants: {
    says: 'Changes deciders, commits and rules one small thing at a time, and counts the changes that tests find; go on by the same command.',
    minutes: 180,
    needs: 'the network once, for Stryker, and a commit of what is to be tried',
    steps: [{ command: 'node', args: ['packages/tooling/src/mutants/run.mjs'] }],
  },
  matchmaking: {
    says: 'Holds every property of the engine in 10,000 drawn pools.',
    minutes: 20,
    steps: [tests(['matchmaking'], [], rounds(10_000))],
  },
  'node-versions': {
    says: 'Installs, builds and tests what is committed by each version of Node that is supported.',
    minutes: 40,
    steps: [{ command: 'node', args: ['packages/tooling/src/node-versions.mjs'] }],
  },
  'one-match': {
    says: 'Races for one player 1,000 times over three nodes: two queues, leaving and entering, two devices, a ban and a match, a friend and a backfill.',
    minutes: 20,
    needs: POSTGRES,
    steps: [many(['one-match'], rounds(1_000))],
  },
  pack: {
    says: 'Installs each packed package into an empty folder and runs its README there.',
    minutes: 8,
    needs: BUILD,
    steps: [program('.ci/prove-pack.mjs')],
  },
  pooler: {
    says: 'Runs the storage suite of PostgreSQL through PgBouncer.',
    minutes: 3,
    needs: `${POSTGRES}, PgBouncer`,
    steps: [tests(['storage-postgres'], ['pooler'], rounds(1))],
  },
  'program-pool': {
    says: 'Runs the storage suite of PostgreSQL on the pool of a program.',
    minutes: 2,
    needs: POSTGRES,
    steps: [tests(['storage-postgres'], ['pool-conformance'], rounds(1))],
  },
  proof: {
    says: 'Proves players by tokens in 500 rounds on one node and 200 over several.',
    minutes: 6,
    needs: `${BUILD}, ${POSTGRES}`,
    steps: [tests(['http'], ['player-proof'], rounds(500)), many(['player-proof'], rounds(200))],
  },
  'quick-join': {
    says: 'Races 1,000 quick joins over several nodes.',
    minutes: 5,
    needs: `${BUILD}, ${POSTGRES}`,
    steps: [many(['quick-join'], rounds(1_000))],
  },
  quota: {
    says: 'Keeps quotas under 1,000 drawn sequences of calls.',
    minutes: 2,
    steps: [tests(['core'], ['control-plane/quota.prop'], rounds(1_000))],
  },
  races: {
    says: 'Races for the last seat and against cancelling, 1,000 times each.',
    minutes: 5,
    needs: BUILD,
    steps: [acceptance(['last-seat', 'cancel-race'], rounds(1_000))],
  },
  incident: {
    says: 'Finds the cause of a crashing build, and of a complaint, in the console, while 200 players search.',
    minutes: 5,
    needs: BUILD,
    steps: [tests(['tooling'], ['console/incident.'], { MATCHYARD_PLAYERS: '200' })],
  },
  ratings: {
    says: 'Counts each result once in 2,000 simulated runs with a rating, on two nodes that fail.',
    minutes: 30,
    steps: [tests(['testkit'], ['simulation/ratings.'], { MATCHYARD_SIMULATIONS: '2000' })],
  },
  'ready-check': {
    says: 'Races 1,000 answers to proposed matches over several nodes.',
    minutes: 8,
    needs: `${BUILD}, ${POSTGRES}`,
    steps: [many(['ready-check'], rounds(1_000))],
  },
  rolling: {
    says: 'Replaces the nodes of a service one by one, ten times, under load.',
    minutes: 15,
    needs: `${BUILD}, ${POSTGRES}`,
    steps: [many(['rolling-update'], rounds(10))],
  },
  'rolling-away': {
    says: 'Replaces the nodes of a service one by one under load, and keeps each away for two minutes.',
    minutes: 8,
    needs: `${BUILD}, ${POSTGRES}`,
    steps: [many(['rolling-update'], { ...rounds(1), MATCHYARD_AWAY_SECONDS: '120' })],
  },
  room: {
    says: 'Fills nodes to their last room in 50 rounds.',
    minutes: 5,
    needs: `${BUILD}, ${POSTGRES}`,
    steps: [many(['room.'], rounds(50))],
  },
  s3: {
    says: 'Keeps builds of 1 GiB in a bucket that is away for a minute.',
    minutes: 10,
    needs: BUILD,
    steps: [
      tests(['build-store', 'tooling'], ['s3/archive-cache', 'builds-in-a-bucket'], {
        MATCHYARD_S3_MIB: '1024',
        MATCHYARD_S3_OUTAGE_SECONDS: '60',
        MATCHYARD_CACHE_ROUNDS: '3000',
      }),
    ],
  },
  's3-ceph': {
    says: 'Runs the suite of build stores against Ceph.',
    minutes: 10,
    needs: `${BUILD}, a container engine`,
    steps: [
      tests(['build-store', 'tooling'], ['s3/conformance', 'builds-in-a-bucket'], {
        MATCHYARD_TEST_S3: 'ceph',
        MATCHYARD_S3_MIB: '1024',
      }),
    ],
  },
  sessions: {
    says: 'Refreshes sessions in 10,000 drawn orders.',
    minutes: 2,
    steps: [tests(['core'], ['control-plane/refresh.prop'], rounds(10_000))],
  },
  machines: {
    says: 'Cordons, drains and breaks machines, and cuts off their agents, in 2,000 simulated runs of each kind of world.',
    minutes: 60,
    steps: [tests(['testkit'], ['simulation/machines'], { MATCHYARD_SIMULATIONS: '2000' })],
  },
  'machines-real': {
    says: 'Plays 1,000 matches on three machines with networks of their own, which join, drain, fail and come back.',
    minutes: 40,
    needs: `${BUILD}, ${POSTGRES}, root and the package iproute2`,
    steps: [program('packages/tooling/bench/machines/run.ts')],
  },
  simulation: {
    says: 'Keeps every invariant in 2,000 simulated runs of each kind of world.',
    minutes: 60,
    steps: [
      tests(
        ['testkit'],
        ['simulation/simulation.', 'simulation/losses', 'simulation/restarts', 'simulation/one-match'],
        {
          MATCHYARD_SIMULATIONS: '2000',
        },
      ),
    ],
  },
  soak: {
    says: 'Plays for half an hour, and fails where memory grows or a call takes long.',
    minutes: 32,
    needs: BUILD,
    steps: [program('packages/tooling/bench/soak/run.ts')],
  },
  'sqlite-kill': {
    says: 'Kills a writing process 200 times and reads what it left.',
    minutes: 5,
    steps: [tests(['storage-sqlite'], ['test/kill'], { MATCHYARD_KILL_CYCLES: '200' })],
  },
  storage: {
    says: 'Compares both databases with the reference in 2,000 drawn histories.',
    minutes: 15,
    needs: POSTGRES,
    steps: [tests(['storage-sqlite', 'storage-postgres'], ['test/histories'], rounds(2_000))],
  },
  unused: {
    says: 'Finds exports that no other file imports.',
    minutes: 1,
    needs: 'the network once, for Knip',
    steps: [
      {
        command: 'npx',
        args: [
          '--yes',
          'knip@6.44.2',
          '-c',
          'packages/tooling/src/knip.config.mjs',
          '--include',
          'exports,types',
          '--no-config-hints',
        ],
      },
    ],
  },
  usage: {
    says: 'Adds up usage as the reference does for 100,000 drawn servers.',
    minutes: 2,
    steps: [tests(['core'], ['billing/usage.prop'], rounds(100_000))],
  },
  webhooks: {
    says: 'Delivers 10,500 messages while nodes and receivers fail.',
    minutes: 10,
    needs: `${BUILD}, ${POSTGRES}`,
    steps: [many(['webhooks'], rounds(10_500))],
  },
}

if (import.meta.url === pathToFileURL(process.argv[1]).href) runRegistered('prove', PROOFS)
