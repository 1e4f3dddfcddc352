import { execFile } from 'node:child_process'
import { promisify } from 'node:util'

const run = promisify(execFile)

/** Address of a machine in the subnet of these two. */
const addressOf = (machine: 'host' | 'stranger') => `10.214.${process.pid % 250}.${machine === 'host' ? 1 : 2}`

/** Two machines with a cable between them: network namespaces of this computer. */
export class TwoMachines {
  readonly address = addressOf('host')

  /** Creates the namespaces; rejects where this process may not. */
  static async create(): Promise<TwoMachines> {
    const both = new TwoMachines()
    try {
      for (const machine of ['host', 'stranger'] as const) await run('ip', ['netns', 'add', both.name(machine)])
      const [host, stranger] = [both.name('host'), both.name('stranger')]
      await run('ip', [
        'link',
        'add',
        'cable',
        'netns',
        host,
        'type',
        'veth',
        'peer',
        'name',
        'cable',
        'netns',
        stranger,
      ])
      for (const machine of ['host', 'stranger'] as const) {
        const inside = ['-n', both.name(machine)]
        await run('ip', [...inside, 'addr', 'add', `${addressOf(machine)}/24`, 'dev', 'cable'])
        await run('ip', [...inside, 'link', 'set', 'cable', 'up'])
        await run('ip', [...inside, 'link', 'set', 'lo', 'up'])
      }
      return both
    } catch (error) {
      await both.remove()
      throw error
    }
  }

  /** Returns the command line that runs a program in the network of a machine. */
  within(machine: 'host' | 'stranger', ...command: readonly string[]): string[] {
    return ['ip', 'netns', 'exec', this.name(machine), ...command]
  }

  async remove(): Promise<void> {
    for (const machine of ['host', 'stranger'] as const)
      await run('ip', ['netns', 'del', this.name(machine)]).catch(() => {})
  }

  private name(machine: 'host' | 'stranger'): string {
    return `mytls${process.pid}-${machine}`
  }
}
