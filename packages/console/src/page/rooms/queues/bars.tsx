/** Returns a share in percent. */
export const percent = (share: number) => `${(100 * share).toFixed(1)} %`

/** Horizontal bar of a histogram; a share of 1 has the whole width. */
export const Bar = ({ share, tone }: { readonly share: number; readonly tone: 'still' | 'accent' }) => (
  <svg class="queue-bar" viewBox="0 0 100 6" preserveAspectRatio="none" aria-hidden="true">
    <rect width={100 * share} height="6" fill={`var(--${tone})`} />
  </svg>
)
