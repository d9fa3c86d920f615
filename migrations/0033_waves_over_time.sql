-- Waves as they went: lists of those that ended, and the pace of pickers.

create index pick_batches_completed on pick_batches (completed_at) where completed_at is not null;
