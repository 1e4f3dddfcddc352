import { basename, relative, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { create, Refused } from './create.mjs'

const USAGE = 'usage: npm create matchyard <folder>'
/** Folder of the game when the command names none. */
const FOLDER = 'my-game'

/**
 * Creates the game and prints the next steps, without questions. Returns the exit code: 0, 1 for a refused folder, 2
 * for an unknown command line. `install` adds the packages to the folder; without it the user runs `npm install`.
 */
export function main(args, { usage = USAGE, install } = {}) {
  try {
    const { values, positionals } = parseArgs({
      args,
      allowPositionals: true,
      options: { help: { type: 'boolean', short: 'h' } },
    })
    if (values.help) {
      console.log(usage)
      return 0
    }
    if (positionals.length > 1) throw new TypeError(`one folder is enough: ${positionals.join(', ')}`)
    const folder = resolve(positionals[0] ?? FOLDER)
    create(folder)
    install?.(folder)
    console.log(made(folder, install !== undefined))
    return 0
  } catch (error) {
    if (error instanceof Refused) {
      console.error(error.message)
      return 1
    }
    if (error.code?.startsWith('ERR_PARSE_ARGS') || error instanceof TypeError) {
      console.error(`${error.message}\n${usage}`)
      return 2
    }
    throw error
  }
}

function made(folder, isInstalled) {
  const below = relative(process.cwd(), folder)
  const from = below.startsWith('..') ? folder : below
  const enter = from === '' ? [] : [`  cd ${/^[\w./-]+$/.test(from) ? from : JSON.stringify(from)}`]
  return [
    `\n${basename(folder)} is there: a browser game for two, with its server and its backend.\n`,
    ...enter,
    ...(isInstalled ? [] : ['  npm install']),
    '  npm test       its first match, without a browser',
    '  npm start      then open the page in two windows\n',
  ].join('\n')
}
