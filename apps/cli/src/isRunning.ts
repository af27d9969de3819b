/** Whether a process of this machine runs. Its id may have gone to another one since. */
export const isRunning = (id: number): boolean => {
  try {
    process.kill(id, 0)
    return true
  } catch (error) {
    // A process of another user may not be signalled, but it runs.
    return error instanceof Error && "code" in error && error.code === "EPERM"
  }
}
