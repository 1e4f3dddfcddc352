// Runs the test kit's cluster in its own process, so that the service's processor time does not include it. Its
// containers do nothing.
import { testCluster } from '../../src/agones/testing/index'

/**
 * Message of this process, sent at its start and in reply to each message. `calls`: number of API calls so far, without
 * watches.
 */
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
