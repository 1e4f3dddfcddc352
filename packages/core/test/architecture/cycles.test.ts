import { describe, expect, it } from 'vitest'
import { isRelative, packageNames, sourceFiles, target } from './source-files'

/** Targets of each node of a graph. */
type Graph = ReadonlyMap<string, ReadonlySet<string>>

/** Returns a cycle of the graph; undefined when there is none. */
function cycleOf(graph: Graph): string[] | undefined {
  const done = new Set<string>()
  const path: string[] = []
  const walk = (at: string): string[] | undefined => {
    if (path.includes(at)) return [...path.slice(path.indexOf(at)), at]
    if (done.has(at)) return undefined
    path.push(at)
    for (const to of graph.get(at) ?? []) {
      const found = walk(to)
      if (found !== undefined) return found
    }
    path.pop()
    done.add(at)
    return undefined
  }
  for (const from of graph.keys()) {
    const found = walk(from)
    if (found !== undefined) return found
  }
  return undefined
}

/** Returns the files of a package with the files that they import, types included. */
function filesOf(name: string): Graph {
  const files = sourceFiles(name)
  const paths = new Set(files.map(({ path }) => path))
  return new Map(
    files.map((file) => {
      const to = file.imports.filter(isRelative).map((specifier) => {
        const path = target(file, specifier)
        return [path, `${path}.ts`, `${path}.tsx`, `${path}/index.ts`].find((candidate) => paths.has(candidate)) ?? path
      })
      return [file.path, new Set(to)]
    }),
  )
}

/**
 * Returns the contents of each folder (files and subfolders) with the neighbours that they import. An import belongs to the lowest folder
 * that holds both its ends.
 */
function neighboursOf(files: Graph): ReadonlyMap<string, Graph> {
  const levels = new Map<string, Map<string, Set<string>>>()
  for (const [from, imports] of files) {
    for (const to of imports) {
      const [a, b] = [from.split('/'), to.split('/')]
      const depth = a.findIndex((part, index) => part !== b[index])
      if (depth === -1) continue
      const level = levels.get(a.slice(0, depth).join('/')) ?? new Map<string, Set<string>>()
      levels.set(a.slice(0, depth).join('/'), level)
      const name = a[depth] ?? ''
      level.set(name, (level.get(name) ?? new Set()).add(b[depth] ?? ''))
    }
  }
  return levels
}

describe.each(packageNames())('%s', (name) => {
  const files = filesOf(name)

  it('has no cycle among its files', () => {
    expect(cycleOf(files)).toBeUndefined()
  })

  it('has no cycle among what stands beside each other in a folder', () => {
    const cycles = [...neighboursOf(files)].map(([folder, level]) => [folder, cycleOf(level)] as const)
    expect(cycles.filter(([, cycle]) => cycle !== undefined)).toEqual([])
  })
})

it('components are among the files', () => {
  const chart = filesOf('console').get('page/ui/chart.tsx')
  expect(chart).toEqual(new Set(['page/ui/plot.ts', 'page/ui/series.ts', 'page/ui/theme.ts', 'page/ui/zone.ts']))
})

it('a cycle is seen', () => {
  const graph = (edges: Readonly<Record<string, string[]>>): Graph =>
    new Map(Object.entries(edges).map(([from, to]) => [from, new Set(to)]))
  expect(cycleOf(graph({ a: ['b'], b: ['c'], c: ['b'] }))).toEqual(['b', 'c', 'b'])
  expect(cycleOf(graph({ a: ['b', 'c'], b: ['c'], c: [] }))).toBeUndefined()
})
