import type { Build } from '@matchyard/client/admin'
import { useProject, useRead } from '../../data/hooks'
import { Card, Clock, Copy, HeardAt, View } from '../../ui'

/** Characters of a log line that are shown; the rest is cut off. */
const WIDEST = 2_000
const LOOK_MS = 1_000

/** Shows the processing log of a version, read every second while the version is processed. */
export function BuildLog({ build }: { readonly build: Build }) {
  const { admin } = useProject()
  const isOpen = build.status === 'processing' || build.status === 'uploading'
  const read = useRead(() => admin.builds.logs(build.build_id), [admin, build.build_id, build.status], {
    ...(isOpen ? { every: LOOK_MS } : {}),
  })
  return (
    <Card title={`Processing log of version ${build.version}`} flush actions={<HeardAt at={read.heardAt} />}>
      <View of={read.now} again={read.again}>
        {({ logs }) => (
          <>
            {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls is reached by the keyboard */}
            <div class="build-log" tabIndex={0} role="log" aria-label="Processing log" aria-live="off">
              {logs.map(({ timestamp, level, message }, index) => (
                <div key={index} class={`build-line ${level}`}>
                  <Clock at={timestamp} />
                  <span>{level}</span>
                  <bdi>{message.length > WIDEST ? `${message.slice(0, WIDEST)}…` : message}</bdi>
                </div>
              ))}
              {logs.length === 0 && (
                <p class="quiet">
                  {build.status === 'uploading' ? 'No log yet: the archive is not uploaded yet.' : 'The log is empty.'}
                </p>
              )}
            </div>
            {logs.length > 0 && (
              <div class="build-log-foot">
                <Copy
                  of="log"
                  label="Copy"
                  text={logs.map((one) => `${one.timestamp} ${one.level} ${one.message}`).join('\n')}
                />
              </div>
            )}
          </>
        )}
      </View>
    </Card>
  )
}
