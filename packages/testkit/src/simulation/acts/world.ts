import { type Act, at } from './scene'

/**
 * Actions on the simulated world: time passes, faults occur, and nodes without a worker loop run one of their ticks.
 */
export const worldActs = {
  'run-queue': ({ world, node, now }) => {
    for (const key of now.place.queueKeys) {
      world.call(node, 'tick queue', (matchyard) => matchyard.matchmaking.runQueue(key))
    }
  },
  'run-jobs': ({ world, node }) => world.call(node, 'tick jobs', (matchyard) => matchyard.worker.runDueJobs()),
  reconcile: ({ world, node, now, command }) => {
    // Compares some servers with their records, as after a hint that these servers changed, or all servers.
    const some = [...now.servers.keys()].filter((_, index) => (command.a >> (index % 8)) % 2 === 1)
    const among = command.c % 2 === 0 ? undefined : some
    world.call(node, 'tick servers', (matchyard) => matchyard.worker.reconcileServers(among))
    world.call(node, 'tick presence', (matchyard) => matchyard.worker.notePresence())
    world.call(node, 'tick nodes', (matchyard) => matchyard.worker.watchNodes())
  },
  wait: ({ world, command }) => world.passTime(at([50, 300, 1_000, 1_000, 3_000, 6_000], command.a) ?? 50),
  'wait-long': ({ world, command }) => world.passTime(at([15_000, 30_000, 70_000, 7_200_000], command.a) ?? 15_000),
  fault: ({ world, node, command }) => {
    if (command.fault !== undefined) world.faults.arm(command.fault, node.id)
  },
  crash: ({ world, node }) => world.crash(node.id),
  'storage-goes-back': ({ world, command }) => world.goBack(command.a),
  'node-gone': ({ world, node }) => world.lose(node.id),
} satisfies Record<string, Act>
