import type { ArgsDef, CommandDef } from 'citty'

type Resolvable<T> = T | Promise<T> | (() => T) | (() => Promise<T>)
const resolved = async <T>(value: Resolvable<T> | undefined): Promise<T | undefined> =>
  typeof value === 'function' ? (value as () => T | Promise<T>)() : value

const ROOT = 'matchyard'

/** Returns an option's name in one spelling, so that `--accept-lost-log` and `--acceptLostLog` are equal. */
const plain = (name: string) => name.replaceAll('-', '').toLowerCase()

/**
 * Returns a sentence about the first option or argument that the command does not take; undefined if there is none. The
 * parser of the command line would silently ignore an unknown option.
 */
export async function unknownOption(
  command: CommandDef,
  line: readonly string[],
  path = ROOT,
): Promise<string | undefined> {
  const args = (await resolved(command.args)) ?? {}
  const subCommands = await resolved(command.subCommands)
  const words = [...line]
  for (let word = words.shift(); word !== undefined && word !== '--'; word = words.shift()) {
    if (word.startsWith('-') && word !== '-') {
      const option = optionOf(args, word)
      if (option === undefined) return `${path} has no option ${word.split('=')[0]}; ${optionsOf(args)}`
      if (option.type === 'string' && !word.includes('=')) words.shift()
    } else if (subCommands !== undefined) {
      const below = await resolved(subCommands[word] as Resolvable<CommandDef>)
      // For an unknown command, the parser itself prints an error with the known commands.
      return below && unknownOption(below, words, path === ROOT ? word : `${path} ${word}`)
    } else if (!Object.values(args).some(({ type }) => type === 'positional')) {
      return `${path} takes no argument ${JSON.stringify(word)}; ${optionsOf(args)}`
    }
  }
  return undefined
}

function optionOf(args: ArgsDef, word: string) {
  const name = plain(word.split('=')[0] ?? '')
  const found = Object.entries(args).find(
    ([key, { type }]) =>
      type !== 'positional' && (plain(key) === name || (type === 'boolean' && `no${plain(key)}` === name)),
  )
  return found?.[1]
}

function optionsOf(args: ArgsDef): string {
  const names = Object.keys(args).filter((name) => args[name]?.type !== 'positional')
  return names.length === 0 ? 'it takes none' : `its options are ${names.map((name) => `--${name}`).join(', ')}`
}
