import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, renameSync, statSync, writeFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { fileURLToPath } from 'node:url'

const TEMPLATE = fileURLToPath(new URL('../template', import.meta.url))
/** Files of the template with another name, because npm does not publish a .gitignore. */
const RENAMED = { _gitignore: '.gitignore' }
/** Files of a new repository, which may already exist in the folder. */
const UNOBTRUSIVE = new Set(['.git', '.gitignore', '.DS_Store', 'LICENSE'])
const LONGEST_NAME = 214

/** Error with the reason why no game was made, as a sentence for the user. */
export class Refused extends Error {}

/**
 * Copies the template into `folder` and names the game after it. The folder may be missing or empty. Throws `Refused`
 * before it writes anything.
 */
export function create(folder) {
  requireEmpty(folder)
  const name = nameOf(folder)
  try {
    mkdirSync(folder, { recursive: true })
    // Existing files of an empty repository stay unchanged.
    cpSync(TEMPLATE, folder, { recursive: true, force: false })
  } catch (error) {
    throw new Refused(`${folder} cannot be written: ${error.message}`)
  }
  for (const [from, to] of Object.entries(RENAMED)) {
    if (existsSync(join(folder, to))) continue
    renameSync(join(folder, from), join(folder, to))
  }
  const file = join(folder, 'package.json')
  const manifest = JSON.parse(readFileSync(file, 'utf8'))
  writeFileSync(file, `${JSON.stringify({ ...manifest, name }, undefined, 2)}\n`)
}

function requireEmpty(folder) {
  if (!existsSync(folder)) return
  if (!statSync(folder).isDirectory())
    throw new Refused(`${folder} is a file; name a folder that is empty or not there yet`)
  const there = readdirSync(folder).filter((name) => !UNOBTRUSIVE.has(name))
  if (there.length === 0) return
  const some = there.slice(0, 3).join(', ')
  const more = there.length > 3 ? ` and ${there.length - 3} more` : ''
  throw new Refused(`${folder} is not empty (${some}${more}); name a folder that is empty or not there yet`)
}

/** Returns the folder's name as a valid npm package name. */
function nameOf(folder) {
  const name = basename(folder)
    .normalize('NFKD')
    .toLowerCase()
    .replace(/[^a-z0-9._-]+/g, '-')
    .replace(/^[^a-z0-9]+|(?<![^a-z0-9])[^a-z0-9]+$/g, '')
    .slice(0, LONGEST_NAME)
  return name === '' ? 'my-game' : name
}
