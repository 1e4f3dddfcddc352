import { type Network, startProxy } from '@matchyard/storage-postgres/testing'
import type { Ground } from '../cluster'
import { SmallDisk } from '../small-disk'

/** Megabytes: enough for builds, game servers and their logs, but filled fast. */
const DISK_MEGABYTES = 64

/**
 * The environment of each node in which faults are made: a separate network path to the database and, when the tests
 * run as root, a small disk.
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

  /** Ends all faults. Called before the cluster stops, because its nodes must reach their database and files. */
  calm(): void {
    for (const network of this.networks.values()) network.answerAgain()
    for (const disk of this.disks.values()) disk.empty()
  }

  readonly close = async (): Promise<void> => {
    for (const disk of this.disks.values()) disk.unmount()
    await Promise.all([...this.networks.values()].map((network) => network.stop()))
  }
}
