"""Where data flows in a plan: what each tool gives, takes or spoils, and which paths lead to harm."""
