/** The type of notebooks, as the manifest has it. */
export const notebookType = "dotrpc-notebook"
