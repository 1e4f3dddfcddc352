import { describe, expect, it } from 'vitest'
import { PAGES, textOf } from './pages'

const INDEX = 'docs/adr/README.md'
const RECORDS = PAGES.filter((page) => page.startsWith('docs/adr/') && page !== INDEX)

const LINK = String.raw`\[(\d+)\]\((\d{4})-[a-z0-9-]+\.md\)`
const LINKS = `${LINK}(?: and ${LINK})*`
const TITLE = /^# (\d+)\. ([A-Z].*[^.])$/
const STATUS = new RegExp(
  String.raw`^\*\*Status\.\*\* (?:Accepted|(?:Superseded|Amended) by ${LINKS}), \d{4}-\d{2}-\d{2}\.$`,
)

const fileOf = (page: string): string => page.replace('docs/adr/', '')

/** Returns the faults of a record's first four lines: title, empty line, status, empty line. */
function faultsOf(page: string, text: string): string[] {
  const [first = '', second, status = '', fourth] = text.split('\n')
  const [, number] = TITLE.exec(first) ?? []
  const links = [...status.matchAll(new RegExp(LINK, 'g'))]
  return [
    ...(Number(number) === Number(fileOf(page).slice(0, 4)) ? [] : [`${page}: the title is no "# N. The decision"`]),
    ...(STATUS.test(status) && second === '' && fourth === '' ? [] : [`${page}: the status is not of its form`]),
    ...links.filter(([, named, file]) => Number(named) !== Number(file)).map(([link]) => `${page}: ${link}`),
  ]
}

/** Returns the line of a record in the index. */
function lineOf(page: string): string {
  const [first = '', , status = ''] = textOf(page).split('\n')
  const [, superseded] = /Superseded by \[(\d+)\]/.exec(status) ?? []
  const note = superseded === undefined ? '' : ` (superseded by ${superseded})`
  return `- [${first.slice(2)}](${fileOf(page)})${note}`
}

describe('decision records', () => {
  it('begin with a title and a status', () => {
    expect(RECORDS.length).toBeGreaterThan(100)
    expect(RECORDS.flatMap((page) => faultsOf(page, textOf(page)))).toEqual([])
  })

  it('stand in the index once each, under their titles', () => {
    const listed = textOf(INDEX)
      .split('\n')
      .filter((line) => line.startsWith('- '))
    expect(listed.sort()).toEqual(RECORDS.map(lineOf).sort())
  })

  it('a title or a status of another form is noticed', () => {
    const faults = (text: string) => faultsOf('docs/adr/0007-a.md', text).length
    expect(
      faults('# 7. Uploads claim\n\n**Status.** Amended by [8](0008-b.md) and [9](0009-c.md), 2026-11-21.\n\n'),
    ).toBe(0)
    expect(faults('# 8. Uploads claim\n\n**Status.** Accepted, 2026-11-21.\n\n')).toBe(1)
    expect(faults('# 7. Uploads claim\n\nStatus: accepted. Date: 2026-11-21.\n\n')).toBe(1)
    expect(faults('# 7. Uploads claim\n\n**Status.** Superseded by [8](0009-c.md), 2026-11-21.\n\n')).toBe(1)
  })
})
