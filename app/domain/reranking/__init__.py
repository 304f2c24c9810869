"""What a language model is asked that puts found tools into another order, and what of its answer counts."""
