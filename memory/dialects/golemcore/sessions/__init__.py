"""Sessions of a GolemCore bot: JSON files and protobuf records of whole chats, read leniently and changed in place."""
