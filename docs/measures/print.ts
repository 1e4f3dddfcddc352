import { measure } from './measure'
import { WALKS } from './walks'

/** `npm run measure:walks`: each walk step by step, with what it comes to. */
for (const walk of WALKS) {
  const { files, lines, steps, astray } = measure(walk)
  console.log(`${walk.name}: ${files} files, ${lines} lines (at most ${walk.atMost.files}, ${walk.atMost.lines})`)
  for (const { path, name, lines: own } of steps) console.log(`  ${String(own).padStart(4)}  ${path}#${name}`)
  for (const place of astray) console.log(`  astray: ${place}`)
}
