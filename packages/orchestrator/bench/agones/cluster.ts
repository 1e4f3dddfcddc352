// The test kit's cluster, in a process of its own: what it takes of the processor is not the service's. Its containers do nothing.
import { testCluster } from '../../src/agones/testing/index'

/** What it says: once of itself, then at each message to it how many calls it has had, without the watches. */
export interface Said {
  readonly url: string
  readonly kubeconfig: string
  readonly calls: number
}

const cluster = await testCluster()
let calls = 0
cluster.server.faults.judge = ({ verb }) => {
  if (verb !== 'watch') calls++
  return 'pass'
}
const say = () => process.send?.({ url: cluster.url, kubeconfig: cluster.kubeconfig(), calls } satisfies Said)
process.on('message', say)
process.on('disconnect', () => process.exit())
say()
