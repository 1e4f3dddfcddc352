import { readFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import { Application, Logger, LogLevel } from 'typedoc'
import { root } from '../workspace.mjs'
import { asInEditor } from './named-types.mjs'
import { undescribed } from './undescribed.mjs'

/** Entry points that a program imports when it embeds Matchyard. Each has a page. */
export const ENTRY_POINTS = [
  '@matchyard/core',
  '@matchyard/node',
  '@matchyard/storage-memory',
  '@matchyard/storage-sqlite',
  '@matchyard/storage-postgres',
  '@matchyard/http',
  '@matchyard/orchestrator/process',
  '@matchyard/orchestrator/docker',
  '@matchyard/orchestrator/agones',
  '@matchyard/build-store/fs',
  '@matchyard/build-store/s3',
  '@matchyard/payments/manual',
  '@matchyard/testkit',
]

const TABLES = [
  'interfacePropertiesFormat',
  'classPropertiesFormat',
  'parametersFormat',
  'typeAliasPropertiesFormat',
  'typeDeclarationFormat',
  'propertyMembersFormat',
  'enumMembersFormat',
]

/** Returns the file of an entry point's sources. */
function sourceOf(entryPoint) {
  const [, folder, ...rest] = entryPoint.split('/')
  const manifest = JSON.parse(readFileSync(join(root, 'packages', folder, 'package.json'), 'utf8'))
  return join(root, 'packages', folder, manifest.exports[['.', ...rest].join('/')]['@matchyard/source'])
}

/** Returns the name that TypeDoc derives from a file of sources. */
const nameOf = (path) => relative(root, path).replace(/(\/index)?\.ts$/, '')

/** Keeps the warnings of a run, one line each. */
class Warnings extends Logger {
  lines = []

  log(message, level) {
    if (level >= LogLevel.Warn) this.lines.push(message)
  }
}

/**
 * Writes a page for each entry point into a folder, and an index of the pages. Returns the warnings, one line each. A
 * comment that names something that does not exist is a warning, and so is an exported name, a field or a method without a comment.
 */
export async function writeReference(folder) {
  const app = await Application.bootstrapWithPlugins({
    plugin: ['typedoc-plugin-markdown'],
    tsconfig: join(root, 'tsconfig.json'),
    basePath: root,
    entryPoints: ENTRY_POINTS.map(sourceOf),
    out: folder,
    name: 'The library',
    readme: 'none',
    router: 'module',
    // The type checker has its own run.
    skipErrorChecking: true,
    disableSources: true,
    excludeExternals: true,
    hideBreadcrumbs: true,
    hidePageHeader: true,
    expandParameters: true,
    groupOrder: ['Functions', 'Variables', 'Classes', 'Interfaces', '*'],
    ...Object.fromEntries(TABLES.map((option) => [option, 'table'])),
  })
  const warnings = new Warnings()
  app.logger = warnings
  asInEditor(app)
  const project = await app.convert()
  if (project === undefined) throw new Error(`the sources could not be read: ${warnings.lines.join('; ')}`)
  const names = new Map(ENTRY_POINTS.map((entryPoint) => [nameOf(sourceOf(entryPoint)), entryPoint]))
  for (const module of project.children ?? []) module.name = names.get(module.name) ?? module.name
  await app.generateOutputs(project)
  return [...warnings.lines, ...undescribed(project).map((name) => `${name} has no comment`)]
}
