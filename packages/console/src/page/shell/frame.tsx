import { useSignal } from '@preact/signals'
import type { ComponentType } from 'preact'
import { useEffect } from 'preact/hooks'
import { useProject } from '../data/hooks'
import { href, route } from '../data/route'
import { type Room, type RoomView, roomsFor } from '../rooms'
import { Empty, Failed, Loading } from '../ui'
import { loadRoom, loadWhenIdle } from './load-room'
import { BottomNav, SideNav } from './nav'
import { SearchPlace } from './search-place'

/** The navigation, and the section that the address names. */
export function Frame() {
  const [first] = route.value.path
  const { project, store, session } = useProject()
  const rooms = roomsFor(session.account)
  const room = first === undefined ? rooms[0] : rooms.find(({ id }) => id === first)
  // Keeps the feed open in every section, so that each view shows whether the service answers.
  useEffect(() => store.want('queue'), [store])
  useEffect(() => loadWhenIdle(roomsFor(session.account)), [session])
  useEffect(() => {
    document.title = `${room?.title ?? 'Not found'} · ${project.name} · Matchyard`
  }, [room, project])
  return (
    <div class="frame">
      <button type="button" class="skip" onClick={() => document.getElementById('main')?.focus()}>
        Skip to content
      </button>
      <SideNav here={room?.id} />
      {room === undefined ? (
        <main class="page" id="main" tabIndex={-1}>
          <Empty icon="search" title="Page not found" action={<a href={href()}>Go to the start page</a>} />
        </main>
      ) : (
        <RoomPlace key={room.id} room={room} />
      )}
      <BottomNav here={room?.id} />
      <SearchPlace />
    </div>
  )
}

/** Loads a section when it is first entered, and shows it. */
function RoomPlace({ room }: { readonly room: Room }) {
  const view = useSignal<{ readonly Show: ComponentType<RoomView> } | undefined>(undefined)
  const error = useSignal<unknown>(undefined)
  useEffect(() => {
    let over = false
    loadRoom(room).then(
      (Show) => {
        if (!over) view.value = { Show }
      },
      (cause: unknown) => {
        error.value = cause
      },
    )
    return () => {
      over = true
    }
  }, [room])
  const { path, query } = route.value
  if (view.value !== undefined) return <view.value.Show path={path.slice(1)} query={query} />
  return (
    <main class="page" id="main" tabIndex={-1}>
      <div class="page-body">
        {error.value === undefined ? (
          <Loading as="lines" />
        ) : (
          <Failed error={error.value} again={() => location.reload()} />
        )}
      </div>
    </main>
  )
}
