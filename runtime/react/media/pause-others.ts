/** Starting one video or sound pauses the others on the page (`pauseVideo`). */
export function pauseOthers(started: HTMLMediaElement): void {
  for (const other of document.querySelectorAll<HTMLMediaElement>('video, audio')) {
    if (other !== started) other.pause()
  }
}
