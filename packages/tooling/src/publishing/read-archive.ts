import { spawnSync } from 'node:child_process'
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, relative, sep } from 'node:path'
import type { Archive } from './archive-faults.ts'

/** Returns the files of an archive in the form in which `npm install` unpacks them. */
export function readArchive(path: string): Archive {
  const folder = mkdtempSync(join(tmpdir(), 'matchyard-archive-'))
  try {
    const { status, stderr, error } = spawnSync('tar', ['-xzf', path, '-C', folder], { encoding: 'utf8' })
    if (status !== 0) throw new Error(`${path} cannot be unpacked: ${stderr}${error ?? ''}`)
    const files = readdirSync(folder, { recursive: true, withFileTypes: true })
      .filter((entry) => !entry.isDirectory())
      .map((entry) => join(entry.parentPath, entry.name))
    const named = (file: string) => relative(join(folder, 'package'), file).split(sep).join('/')
    return { files: new Map(files.map((file) => [named(file), readFileSync(file)])), bytes: statSync(path).size }
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}
