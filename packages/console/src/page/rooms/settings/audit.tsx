import './audit.css'
import type { ApiKey, AuditEntry } from '@matchyard/client/admin'
import { useSignal } from '@preact/signals'
import { useProject, useRead } from '../../data/hooks'
import { mayAs } from '../../data/roles'
import { setQueries, setQuery } from '../../data/route'
import { Button, Card, Clock, counted, Empty, HeardAt, Input, Select, Text, View } from '../../ui'
import { downloadCsv } from '../../ui/download'
import { now } from '../../ui/time'
import {
  AUDIT_KINDS,
  AUDIT_RANGES,
  type AuditFilter,
  type AuditPage,
  type AuditPart,
  actionOf,
  auditRows,
  fieldsOf,
  readAudit,
  withOlder,
} from './audit-entries'
import { authorOf, linkOf, type People } from './audit-links'

/** Maximum number of keys that are read for the names of authors. */
const MOST_KEYS = 500
const PAGE = 200

/** Audit log of the project: authors, actions, objects, and values before and after. */
export function AuditLog({ query }: { readonly query: URLSearchParams }) {
  const { project } = useProject()
  if (!mayAs(project, 'developer')) {
    return (
      <Empty icon="settings" title="Your role may not read the audit log">
        Developers, admins and owners of the project read it.
      </Empty>
    )
  }
  const textOf = (name: string) => query.get(name) ?? ''
  return <Log filter={{ by: textOf('by'), of: textOf('of'), kind: textOf('kind'), range: textOf('range') }} />
}

function Log({ filter }: { readonly filter: AuditFilter }) {
  const { wire } = useProject()
  const key = Object.values(filter).join('\n')
  const people = usePeople()
  const read = (cursor?: string) =>
    readAudit(
      (at) =>
        wire.get<AuditPage>('/v1/audit', {
          ...{ limit: PAGE, cursor: at },
          ...{ actor: filter.by || undefined, target: filter.of || undefined },
        }),
      filter,
      { now: now.peek(), cursor },
    )
  const first = useRead(() => read(), [wire, key])
  // Once older entries were read, all entries of the view are here.
  const older = useSignal<(AuditPart & { readonly key: string }) | undefined>(undefined)
  const more = older.value?.key === key ? older.value : undefined
  const load = async (known: readonly AuditEntry[], cursor: string) => {
    older.value = { key, ...withOlder(known, await read(cursor)) }
  }
  const again = async () => {
    older.value = undefined
    await first.again()
  }
  return (
    <Card
      title="Audit log"
      note={<HeardAt at={first.heardAt} />}
      flush
      actions={<Filters of={filter} people={people} />}
    >
      <View of={first.now} as="rows" again={again}>
        {(part) => {
          const { entries, cursor } = more ?? part
          return (
            <>
              {entries.length === 0 ? <Nothing isWhole={cursor === null} /> : <Entries of={entries} people={people} />}
              <div class="audit-foot line apart">
                <span class="quiet small figures">
                  {counted(entries.length, 'change')}
                  {cursor === null ? '' : ' so far'}
                </span>
                <span class="line">
                  <Button small icon="again" onClick={again}>
                    Newest
                  </Button>
                  <Button small disabled={entries.length === 0} onClick={() => save(entries, people)}>
                    Download CSV
                  </Button>
                  {cursor !== null && (
                    <Button small onClick={() => load(entries, cursor)}>
                      Load older
                    </Button>
                  )}
                </span>
              </div>
            </>
          )
        }}
      </View>
    </Card>
  )
}

const save = (entries: readonly AuditEntry[], people: People): void =>
  downloadCsv(
    'audit-log.csv',
    auditRows(entries, (entry) => authorOf(entry, people).name),
  )

/** Reads the members and keys of the project. Without them, the log shows ids in place of names. */
function usePeople(): People {
  const { account, project } = useProject()
  const read = useRead(async (): Promise<People> => {
    const { members } = await account.members.list(project.project_id)
    const keys: ApiKey[] = []
    for await (const key of account.keys.list(project.project_id)) if (keys.push(key) >= MOST_KEYS) break
    return { members, keys }
  }, [account, project])
  return read.now.value.is === 'ready' ? read.now.value.data : NOBODY
}

const NOBODY: People = { members: [], keys: [] }

const Nothing = ({ isWhole }: { readonly isWhole: boolean }) => (
  <Empty icon="settings" title={isWhole ? 'No changes' : 'No change among the newest entries'}>
    The log has the changes of people and server keys in this project, for 400 days.
  </Empty>
)

function Filters({ of: filter, people }: { readonly of: AuditFilter; readonly people: People }) {
  const { members } = people
  const isOther = filter.by !== '' && filter.by !== 'operator' && members.every((one) => one.account_id !== filter.by)
  const isFiltered = Object.values(filter).some((value) => value !== '')
  return (
    <>
      <Select
        label="Author"
        value={filter.by}
        options={[
          ['', 'Everybody'],
          ...members.map(({ account_id, name }) => [account_id, name.slice(0, 40)] as const),
          ['operator', 'Operator'],
          ...(isOther ? [[filter.by, filter.by] as const] : []),
        ]}
        onChange={(by) => setQuery('by', by)}
      />
      <Select
        label="Kind of object"
        value={filter.kind}
        options={[['', 'All objects'], ...AUDIT_KINDS]}
        onChange={(kind) => setQuery('kind', kind)}
      />
      <Select
        label="Time range"
        value={filter.range}
        options={AUDIT_RANGES.map(([id, label]) => [id, label] as const)}
        onChange={(range) => setQuery('range', range)}
      />
      <ObjectFilter key={filter.of} of={filter.of} />
      {isFiltered && (
        <Button small kind="quiet" onClick={() => setQueries({ by: '', of: '', kind: '', range: '' })}>
          Clear
        </Button>
      )}
    </>
  )
}

/** Field with the id of an object or a player. The log is read when the form is sent, not at each character. */
function ObjectFilter({ of }: { readonly of: string }) {
  const id = useSignal(of)
  return (
    <form
      class="audit-object"
      onSubmit={(event) => {
        event.preventDefault()
        setQuery('of', id.value.trim())
      }}
    >
      <Input
        value={id.value}
        onInput={(value) => (id.value = value)}
        placeholder="Id of an object"
        aria-label="Id of an object"
        autocomplete="off"
        maxLength={128}
      />
    </form>
  )
}

/** Maximum number of fields of one entry that are shown; the file has all. */
const MOST_FIELDS = 8

function Entries({ of, people }: { readonly of: readonly AuditEntry[]; readonly people: People }) {
  return (
    <table class="audit">
      <thead>
        <tr>
          <th scope="col">Time</th>
          <th scope="col">Author</th>
          <th scope="col">Action</th>
          <th scope="col">Before and after</th>
        </tr>
      </thead>
      <tbody>
        {of.map((entry) => (
          <Entry key={entry.entry_id} of={entry} people={people} />
        ))}
      </tbody>
    </table>
  )
}

function Entry({ of: entry, people }: { readonly of: AuditEntry; readonly people: People }) {
  const { target, created_at } = entry
  const { name, about, id } = authorOf(entry, people)
  const link = linkOf(entry)
  const fields = fieldsOf(entry)
  return (
    <tr>
      <td>
        <Clock at={created_at} />
      </td>
      <td>
        <button type="button" class="link" title="Show the changes of this author" onClick={() => setQuery('by', id)}>
          <Text>{name}</Text>
        </button>
        <span class="quiet small">{about}</span>
      </td>
      <td>
        {actionOf(entry)} {target !== null && target.id !== '' && <ObjectOf link={link} id={target.id} />}
      </td>
      <td>
        <ul class="audit-fields">
          {fields.slice(0, MOST_FIELDS).map(({ key, name: field, values }) => (
            <li key={key}>
              <bdi class="mono small">{field}</bdi>
              {values === undefined ? (
                <span class="quiet">changed, values hidden</span>
              ) : (
                <span>
                  <del>
                    <bdi>{values[0]}</bdi>
                  </del>
                  {' → '}
                  <ins>
                    <bdi>{values[1]}</bdi>
                  </ins>
                </span>
              )}
            </li>
          ))}
          {fields.length > MOST_FIELDS && <li class="quiet">and {fields.length - MOST_FIELDS} more fields</li>}
        </ul>
      </td>
    </tr>
  )
}

const ObjectOf = ({ link, id }: { readonly link: string | undefined; readonly id: string }) =>
  link === undefined ? (
    <Text>{id}</Text>
  ) : (
    <a href={link}>
      <Text>{id}</Text>
    </a>
  )
