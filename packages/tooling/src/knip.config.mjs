// Configuration of the tool knip, which finds exports that no other file uses: `npm run prove -- unused`. The program
// docs/measures/unused.ts measures exports that no other package uses.
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { root } from './workspace.mjs'

const packages = readdirSync(join(root, 'packages')).map((name) => `packages/${name}`)

/** Returns the source files of a package's entry points, with the names by which they are imported. */
function entriesOf(folder) {
  const { name, exports = {} } = JSON.parse(readFileSync(join(root, folder, 'package.json'), 'utf8'))
  return Object.entries(exports).flatMap(([entry, target]) => {
    const source = typeof target === 'string' ? undefined : target['@matchyard/source']
    return source === undefined ? [] : [{ name: `${name}${entry.slice(1)}`, source: source.slice('./'.length) }]
  })
}

/** Entry files that no other file imports: tests, benchmarks, programs and pages. */
const BEGUN = [
  'test/**/*.{ts,tsx,mts}',
  'bench/**/*.{ts,mjs}',
  'scripts/*.ts',
  '*.{ts,mjs}',
  'src/**/*.mjs',
  'src/cli.ts',
  'src/page/**/main.tsx',
  'src/**/{shots,take,take-trace}.ts',
]

const workspaceOf = (folder) => {
  const begun = BEGUN.filter((glob) => existsSync(join(root, folder, glob.split(/[*{]/)[0])))
  return {
    entry: [...entriesOf(folder).map(({ source }) => source), ...begun],
    project: ['{src,test,bench}/**/*.{ts,tsx}'],
  }
}

export default {
  ignoreExportsUsedInFile: true,
  paths: Object.fromEntries(
    packages.flatMap((folder) => entriesOf(folder).map(({ name, source }) => [name, [`${folder}/${source}`]])),
  ),
  workspaces: {
    '.': { entry: ['.ci/*.mjs'], project: ['.ci/*.mjs'] },
    docs: { entry: ['**/*.ts'], project: ['**/*.ts'] },
    ...Object.fromEntries(packages.map((folder) => [folder, workspaceOf(folder)])),
    'examples/*': { entry: ['**/*.{ts,mts,tsx}'], project: ['**/*.{ts,tsx}'] },
  },
}
