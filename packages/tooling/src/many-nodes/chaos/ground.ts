import { type Network, startProxy } from '@matchyard/storage-postgres/testing'
import type { Ground } from '../cluster'
import { SmallDisk } from '../small-disk'

/**
 * Size of a node's disk in megabytes: enough for builds, game servers and their logs, but small enough to fill it fast.
 */
const DISK_MEGABYTES = 64

/**
 * Prepares each node for faults: its connection to the database goes through a proxy and, when the tests run as root,
 * its data folder is on a small disk.
 */
export class ChaosGround implements Ground {
  readonly networks = new Map<number, Network>()
  readonly disks = new Map<number, SmallDisk>()

  readonly between = async (databaseUrl: string, node: number): Promise<string> => {
    const network = await startProxy(databaseUrl)
    this.networks.set(node, network)
    return network.url
  }

  readonly prepare = (dataDirectory: string, node: number): void => {
    const disk = SmallDisk.mount(dataDirectory, DISK_MEGABYTES)
    if (disk !== undefined) this.disks.set(node, disk)
  }

  /**
   * Ends all faults. The test calls it before it stops the cluster, because the nodes must reach their database and
   * files to stop.
   */
  calm(): void {
    for (const network of this.networks.values()) network.answerAgain()
    for (const disk of this.disks.values()) disk.empty()
  }

  readonly close = async (): Promise<void> => {
    for (const disk of this.disks.values()) disk.unmount()
    await Promise.all([...this.networks.values()].map((network) => network.stop()))
  }
}
