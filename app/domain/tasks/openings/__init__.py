"""What begins a task: its verb, behind what only asks politely, or things that are only named."""
