import { execFileSync } from 'node:child_process'
import { statSync } from 'node:fs'
import type { Place } from '../../src/many-nodes/node-process'

const run = (...args: readonly string[]): string => execFileSync('ip', args, { encoding: 'utf8' })

/**
 * Network namespaces, one for each machine, on one bridge of this computer. Each machine has its own address, its own
 * ports and its own loopback device, as a computer has.
 */
export class Networks {
  private readonly bridge = `mybr${process.pid}`
  /** The bridge has a subnet of its own, so that two proofs may run at the same time. */
  private readonly subnet = `10.213.${process.pid % 256}`

  private constructor(private readonly count: number) {}

  /** Creates the networks. Only root can. */
  static create(count: number): Networks {
    const networks = new Networks(count)
    try {
      networks.build()
    } catch (error) {
      networks.remove()
      throw error
    }
    return networks
  }

  /** Address of this computer, which every machine can reach. */
  get gateway(): string {
    return `${this.subnet}.1`
  }

  placeOf(machine: number): Place {
    return { host: `${this.subnet}.${machine + 2}`, within: ['ip', 'netns', 'exec', this.name(machine)] }
  }

  /** Returns the number that identifies the network of a machine. The processes of the machine have it too. */
  idOf(machine: number): number {
    return statSync(`/run/netns/${this.name(machine)}`).ino
  }

  /** Returns the ids of all processes in the network of a machine. */
  processesOf(machine: number): number[] {
    return run('netns', 'pids', this.name(machine)).split('\n').filter(Boolean).map(Number)
  }

  remove(): void {
    for (let machine = 0; machine < this.count; machine++) attempt('netns', 'del', this.name(machine))
    attempt('link', 'del', this.bridge)
  }

  private build(): void {
    run('link', 'add', this.bridge, 'type', 'bridge')
    run('addr', 'add', `${this.gateway}/24`, 'dev', this.bridge)
    run('link', 'set', this.bridge, 'up')
    for (let machine = 0; machine < this.count; machine++) {
      const name = this.name(machine)
      const cable = `my${process.pid}v${machine}`
      run('netns', 'add', name)
      run('link', 'add', cable, 'type', 'veth', 'peer', 'name', 'eth0', 'netns', name)
      run('link', 'set', cable, 'master', this.bridge, 'up')
      run('-n', name, 'addr', 'add', `${this.placeOf(machine).host}/24`, 'dev', 'eth0')
      run('-n', name, 'link', 'set', 'eth0', 'up')
      run('-n', name, 'link', 'set', 'lo', 'up')
      run('-n', name, 'route', 'add', 'default', 'via', this.gateway)
    }
  }

  private name(machine: number): string {
    return `my${process.pid}-${machine}`
  }
}

/** Removes a thing that may be missing. */
function attempt(...args: readonly string[]): void {
  try {
    run(...args)
  } catch {
    // The thing was not created.
  }
}
