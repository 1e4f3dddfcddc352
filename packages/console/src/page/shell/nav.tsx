import { useSignal } from '@preact/signals'
import { useProject } from '../data/hooks'
import { href } from '../data/route'
import { GROUPS, type Room, roomsFor } from '../rooms'
import { Button, Icon, Text } from '../ui'
import { Dialog } from '../ui/dialog'
import { chooseTheme, type Theme, theme } from '../ui/theme'
import { now } from '../ui/time'
import { chooseZone, zone, zoneAt } from '../ui/zone'
import { Mark } from './mark'
import { Projects } from './projects'
import { SearchButton } from './search-place'
import { leaveAll } from './switch-project'

/** Navigation at the side of a wide page. */
export function SideNav({ here }: { readonly here: string | undefined }) {
  return (
    <aside class="side">
      <ProjectButton />
      <SearchButton />
      <Rooms here={here} />
      <Foot />
    </aside>
  )
}

/** Navigation at the bottom of a narrow page: four sections, and a dialog with all sections. */
export function BottomNav({ here }: { readonly here: string | undefined }) {
  const open = useSignal(false)
  const first = useRooms().filter(({ isFirst }) => isFirst)
  const close = () => {
    open.value = false
  }
  return (
    <nav class="bottom" aria-label="Pages">
      {first.map((room) => (
        <a key={room.id} href={href(room.id)} aria-current={room.id === here ? 'page' : undefined}>
          <Icon name={room.icon} size={18} />
          {room.title}
          {room.Badge !== undefined && <RoomBadge room={room} />}
        </a>
      ))}
      <button
        type="button"
        onClick={() => (open.value = true)}
        aria-haspopup="dialog"
        aria-current={first.some(({ id }) => id === here) ? undefined : 'page'}
      >
        <Icon name="menu" size={18} />
        More
      </button>
      {open.value && (
        <Dialog title="All pages" onClose={close}>
          {/* biome-ignore lint/a11y/useKeyWithClickEvents: a link clicked by the keyboard is a click */}
          {/* biome-ignore lint/a11y/noStaticElementInteractions: it hears of its links */}
          <div onClick={(event) => (event.target as HTMLElement).closest('a, .find-button') !== null && close()}>
            <ProjectButton />
            <SearchButton />
            <Rooms here={here} />
            <Foot />
          </div>
        </Dialog>
      )}
    </nav>
  )
}

function Rooms({ here }: { readonly here: string | undefined }) {
  const rooms = useRooms()
  const groups = GROUPS.filter(([id]) => rooms.some(({ group }) => group === id))
  return (
    <nav class="rooms" aria-label="All pages">
      {groups.map(([group, title]) => (
        <div key={group} class="room-group">
          {title !== '' && <h3>{title}</h3>}
          <ul>
            {rooms
              .filter((room) => room.group === group)
              .map((room) => (
                <li key={room.id}>
                  <a href={href(room.id)} aria-current={room.id === here ? 'page' : undefined}>
                    <Icon name={room.icon} />
                    {room.title}
                    {room.Badge !== undefined && <RoomBadge room={room} />}
                  </a>
                </li>
              ))}
          </ul>
        </div>
      ))}
    </nav>
  )
}

const useRooms = (): readonly Room[] => roomsFor(useProject().session.account)

function RoomBadge({ room: { Badge } }: { readonly room: Room }) {
  return Badge === undefined ? null : (
    <span class="badge figures">
      <Badge />
    </span>
  )
}

function ProjectButton() {
  const { project } = useProject()
  const open = useSignal(false)
  return (
    <>
      <button type="button" class="project" onClick={() => (open.value = true)} aria-haspopup="dialog">
        <Mark size={22} />
        <Text>{project.name}</Text>
        <Icon name="down" size={12} />
      </button>
      {open.value && <Projects onClose={() => (open.value = false)} />}
    </>
  )
}

const THEMES: readonly (readonly [Theme, 'screen' | 'sun' | 'moon', string])[] = [
  ['system', 'screen', 'Same as system'],
  ['light', 'sun', 'Light'],
  ['dark', 'moon', 'Dark'],
]

/** Button with the name of the time zone of all absolute times; it changes between the browser's zone and UTC. */
function ZoneSwitch() {
  const isUtc = zone.value === 'utc'
  const name = zoneAt(now.peek())
  return (
    <button
      type="button"
      class="zone"
      aria-pressed={isUtc}
      title={isUtc ? 'Times are in UTC. Show local times.' : `Times are local (${name}). Show times in UTC.`}
      onClick={() => chooseZone(isUtc ? 'local' : 'utc')}
    >
      <span class="unseen">Times in UTC, now </span>
      {name}
    </button>
  )
}

function Foot() {
  const { session } = useProject()
  return (
    <div class="foot">
      <div class="who">
        <Text>{session.account.email}</Text>
        <ZoneSwitch />
      </div>
      <div class="line apart">
        <fieldset class="themes" aria-label="Colour theme">
          {THEMES.map(([is, icon, label]) => (
            <button
              key={is}
              type="button"
              aria-pressed={theme.value === is}
              aria-label={label}
              title={label}
              onClick={() => chooseTheme(is)}
            >
              <Icon name={icon} size={14} />
            </button>
          ))}
        </fieldset>
        <Button kind="quiet" small icon="out" onClick={leaveAll}>
          Sign out
        </Button>
      </div>
    </div>
  )
}
